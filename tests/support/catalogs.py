"""What an engine itself says of its schema: one line for each thing that there is, names included."""

from typing import Final

import sqlalchemy as sa

POSTGRES_CATALOG: Final = """
SELECT 'table ' || c.relname || ' with ' || coalesce(array_to_string(c.reloptions, ','), 'nothing')
       || ': ' || coalesce(obj_description(c.oid), 'no comment')
  FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace
UNION ALL
SELECT 'column ' || a.attrelid::regclass || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
       || CASE WHEN a.attnotnull THEN ' not null' ELSE '' END
       || coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '')
       || ': ' || coalesce(col_description(a.attrelid, a.attnum), 'no comment')
  FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
  LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
 WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND a.attnum > 0 AND NOT a.attisdropped
UNION ALL
SELECT 'constraint ' || conrelid::regclass || '.' || conname || ' ' || pg_get_constraintdef(oid)
  FROM pg_constraint WHERE connamespace = 'public'::regnamespace
UNION ALL
SELECT 'index ' || indexdef FROM pg_indexes WHERE schemaname = 'public'
UNION ALL
SELECT 'trigger ' || pg_get_triggerdef(t.oid) FROM pg_trigger t WHERE NOT t.tgisinternal
UNION ALL
SELECT 'function ' || pg_get_functiondef(oid) FROM pg_proc
 WHERE pronamespace = 'public'::regnamespace AND prokind = 'f'
"""

SQLITE_CATALOG: Final = """
SELECT 'column ' || t.name || '.' || c.name || ' ' || c.type || ' null ' || (1 - c."notnull")
       || ' default ' || coalesce(c.dflt_value, 'none') || ' key ' || c.pk
  FROM sqlite_master t, pragma_table_xinfo(t.name) c WHERE t.type = 'table'
UNION ALL
SELECT 'foreign key ' || t.name || '.' || f."from" || ' to ' || f."table" || '.' || f."to"
       || ' on delete ' || f.on_delete
  FROM sqlite_master t, pragma_foreign_key_list(t.name) f WHERE t.type = 'table'
UNION ALL
SELECT 'unique ' || t.name || ' (' || (SELECT group_concat(name) FROM pragma_index_info(i.name)) || ')'
  FROM sqlite_master t, pragma_index_list(t.name) i WHERE t.type = 'table' AND i.origin <> 'c'
UNION ALL
SELECT type || ' ' || sql FROM sqlite_master WHERE type IN ('index', 'trigger', 'view') AND sql IS NOT NULL
"""


def catalog(url: str) -> list[str]:
    """Everything that the database holds but its rows, in alphabetical order."""
    engine = sa.create_engine(url, poolclass=sa.NullPool)
    with engine.connect() as connection:
        if connection.dialect.name == "postgresql":
            return sorted(connection.exec_driver_sql(POSTGRES_CATALOG).scalars())
        return sorted([*connection.exec_driver_sql(SQLITE_CATALOG).scalars(), *_sqlite_checks(connection)])


def _sqlite_checks(connection: sa.Connection) -> list[str]:
    inspector = sa.inspect(connection)
    return [
        f"check {table}.{check['name']} {check['sqltext']}"
        for table in inspector.get_table_names()
        for check in inspector.get_check_constraints(table)
    ]
