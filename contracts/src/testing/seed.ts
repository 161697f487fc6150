/** Properties are checked on the same examples in every run; a test may name a seed of its own. */
import fc from 'fast-check';

fc.configureGlobal({ seed: 20_261_121 });
