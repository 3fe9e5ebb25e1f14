"""Photos and videos: what is known of one file, and the rules that need no file to be stated."""
