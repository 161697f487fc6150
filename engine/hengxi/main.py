"""`python -m hengxi.main`: the engine as a process. Tiny on purpose: each child imports this module again."""

if __name__ == "__main__":
    from hengxi.jobs.tuning import tune

    tune()  # before the first library is loaded

    from hengxi.http.serving import main

    main()
