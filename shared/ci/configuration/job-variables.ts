import { expandAll } from '../rules/expand-all.js';
import type { RawVariable } from '../rules/expand-all.js';
import type { Lookup } from '../rules/rules.types.js';
import type { CompileRequest } from './compile.types.js';
import type { JobConfig, Variables } from '../configuration-model/configuration.types.js';

/** The levels of variables below those that a pipeline is given, the lowest first (ci-execution.md section 7). */
type Levels = readonly (Variables | undefined)[];

/** Looks up the final values of variables: given ones win over those of the file, and these over predefined ones. */
export function createLookup({ variables, predefined }: CompileRequest, levels: Levels = []): Lookup {
  const all = new Map<string, RawVariable>();
  for (const [name, value] of Object.entries(predefined)) all.set(name, { value, expand: false });
  for (const level of levels)
    for (const [name, { value, expand }] of Object.entries(level ?? {})) all.set(name, { value, expand });
  for (const [name, { value, expand }] of Object.entries(variables)) all.set(name, { value, expand });
  const values = expandAll(all);
  return (name) => values.get(name);
}

/** The global variables that a job takes. */
export function inheritVariables(globals: Variables, { inherit_variables: inherit }: JobConfig): Variables {
  if (inherit === true) return globals;
  if (inherit === false) return {};
  const names = new Set(inherit);
  return Object.fromEntries(Object.entries(globals).filter(([name]) => names.has(name)));
}
