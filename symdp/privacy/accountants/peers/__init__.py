"""What is run in the environments of others: each file asks one library, and knows nothing of symdp."""
