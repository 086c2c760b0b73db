import { registerHooks } from 'node:module';

/*
 * Loaded before a generator of clients. They write code by the compiler's own interface, which TypeScript 7 does not
 * have: to them, TypeScript is the last version that has it. The project's own compiler stays as it is.
 */
registerHooks({
  resolve: (specifier, context, next) => next(specifier === 'typescript' ? 'typescript5' : specifier, context),
});
