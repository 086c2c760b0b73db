import { expandAll } from '../rules/expand-all.js';
import type { RawVariable } from '../rules/expand-all.js';
import type { Lookup } from '../rules/rules.types.js';
import type { CompileRequest } from './compile.types.js';
import type { JobConfig, Variables } from '../configuration-model/configuration.types.js';

/** The levels of variables below those that a pipeline is given, the lowest first (ci-execution.md section 7). */
type Levels = readonly (Variables | undefined)[];

/** What stands for the value of a masked variable. */
export const MASK = '[MASKED]';

/**
 * Looks up the final values of variables: those of the pipeline win over those of the file, and these over predefined
 * ones. Its `visible` has no value of a masked variable, nor one that a masked variable is a part of.
 */
export function createLookup(request: CompileRequest, levels: Levels = []): Lookup {
  const variables = Object.entries(request.variables);
  const lookup = createPlainLookup(request, levels);
  if (!variables.some(([, { masked }]) => masked)) return lookup;
  const masked = variables.map(([name, one]) => [name, one.masked ? { ...one, value: MASK, expand: false } : one]);
  const visible = createPlainLookup({ ...request, variables: Object.fromEntries(masked) }, levels);
  return Object.assign(lookup, { visible });
}

/** The visible part of {@link createLookup} alone. */
export function createVisibleLookup(request: CompileRequest, levels: Levels = []): Lookup {
  const lookup = createLookup(request, levels);
  return lookup.visible ?? lookup;
}

function createPlainLookup({ variables, predefined }: CompileRequest, levels: Levels): Lookup {
  const all = new Map<string, RawVariable>();
  for (const [name, value] of Object.entries(predefined)) all.set(name, { value, expand: false });
  for (const level of levels)
    for (const [name, { value, expand }] of Object.entries(level ?? {})) all.set(name, { value, expand });
  for (const [name, { value, expand }] of Object.entries(variables)) all.set(name, { value, expand });
  const values = expandAll(all);
  return (name: string) => values.get(name);
}

/** The global variables that a job takes. */
export function inheritVariables(globals: Variables, { inherit_variables: inherit }: JobConfig): Variables {
  if (inherit === true) return globals;
  if (inherit === false) return {};
  const names = new Set(inherit);
  return Object.fromEntries(Object.entries(globals).filter(([name]) => names.has(name)));
}
