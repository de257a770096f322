"""The families of table 4 of the paper of `eureka`: generated programs of any size, right and wrong ones."""
