"""What the application needs of the world, as narrow faces. Adapters keep their promises."""
