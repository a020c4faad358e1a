// Loaded before every test file: the same properties are tried in each run, so that a failure comes back when asked for.
import * as fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env.CAREPOST_TEST_SEED) });
