"""Who would buy at which price: demand curves and best prices of the pricing methods."""
