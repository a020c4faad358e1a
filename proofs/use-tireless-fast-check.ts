import { registerHooks } from 'node:module';

const TIRELESS = new URL('tireless-fast-check.ts', import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'fast-check' && context.parentURL !== TIRELESS
      ? { url: TIRELESS, shortCircuit: true }
      : next(specifier, context),
});
