import type { Context } from '../../core/context/context.js';
import type { Caller } from '../../core/context/callers.js';

const BINDING = 'pipelines.push_options';

/** What push options say of pipelines. */
export interface PushChoices {
  /** No jobs are wanted. */
  skips: boolean;
  variables: { key: string; value: string; variable_type: string }[];
  inputs: Record<string, string>;
}

/** `K=V`, also as `"K=V"`. */
function splitPair(text: string): [key: string, value: string] | null {
  const [, quoted] = /^"(.*)"$/s.exec(text) ?? [];
  const pair = quoted ?? text;
  const at = pair.indexOf('=');
  return at <= 0 ? null : [pair.slice(0, at), pair.slice(at + 1)];
}

/** Reads `ci.skip`, `ci.variable="K=V"` and `ci.input=k=v`; others are for somebody else. The last of one name counts. */
function readPushOptions(options: readonly string[]): PushChoices {
  const variables = new Map<string, string>();
  const inputs = new Map<string, string>();
  for (const option of options) {
    const [, name, text = ''] = /^ci\.(variable|input)=(.*)$/s.exec(option) ?? [];
    const pair = splitPair(text);
    if (pair) (name === 'input' ? inputs : variables).set(...pair);
  }
  return {
    skips: options.some((option) => option === 'ci.skip' || option.startsWith('ci.skip=')),
    variables: [...variables].map(([key, value]) => ({ key, value, variable_type: 'env_var' })),
    inputs: Object.fromEntries(inputs),
  };
}

/** Encrypts those options that are about pipelines, for the payload of a job; undefined without any. */
export function sealPushOptions(ctx: Context<Caller>, options: readonly string[]): string | undefined {
  const own = options.filter((option) => option.startsWith('ci.'));
  if (own.length === 0) return undefined;
  return ctx.services.keys.encrypt(JSON.stringify(own), BINDING).toString('base64');
}

/** Reads what {@link sealPushOptions} wrote. */
export function openPushOptions(ctx: Context<Caller>, sealed: string | undefined): PushChoices {
  if (sealed === undefined) return readPushOptions([]);
  return readPushOptions(JSON.parse(ctx.services.keys.decrypt(Buffer.from(sealed, 'base64'), BINDING)) as string[]);
}
