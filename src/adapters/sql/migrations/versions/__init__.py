"""One file a revision. What has run on somebody's database is never touched up later."""
