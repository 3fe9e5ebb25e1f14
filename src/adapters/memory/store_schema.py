"""Plain dictionaries have no schema to be behind with."""

from application.ports.store_schema import SchemaCondition, SchemaFits, StoreSchema


class MemoryStoreSchema(StoreSchema):
    """Always as this version wants it: this version made it."""

    async def condition(self) -> SchemaCondition:
        return SchemaFits("memory")
