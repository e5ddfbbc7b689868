"""Games that earlier versions have played, and the present code held to them: see `recorded`."""
