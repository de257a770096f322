"""The families of table 4 of the paper of `eureka`, and recursive programs: generated, of any size, right and wrong."""
