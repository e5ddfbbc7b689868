"""Mail as bytes and values: opening, judging, reading and composing it. Nothing here touches a socket or a store."""
