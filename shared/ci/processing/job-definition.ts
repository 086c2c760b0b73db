import type { Context } from '../../core/context/context.js';
import type { Caller } from '../../core/context/callers.js';
import type { CompiledJob } from '../configuration/compile.types.js';
import type { Variables } from '../configuration-model/configuration.types.js';

/** What a job consists of, as it is stored: its rules are applied, and none of them is left. */
export interface StoredDefinition extends Omit<CompiledJob, 'explanation' | 'rules' | 'only' | 'except'> {
  /** The global variables that it takes, with those of `workflow:rules`. */
  global_variables: Variables;
}

const binding = (pipelineId: number) => `job_definitions:${pipelineId}`;

/** Encrypts a definition for its row. */
export const sealDefinition = (
  ctx: Context<Caller>,
  pipelineId: number,
  definition: StoredDefinition,
): Buffer<ArrayBuffer> => ctx.services.keys.encrypt(JSON.stringify(definition), binding(pipelineId));

/** A stored definition is not what {@link sealDefinition} wrote. Nothing of its content is in the message. */
class UnreadableDefinition extends Error {}

/** Whether a value has what is read of a definition when a job is handed out, ends or is tried again. */
function isDefinition(value: unknown): value is StoredDefinition {
  if (typeof value !== 'object' || value === null) return false;
  const { script, allow_failure: allowed, retry } = value as Partial<Record<keyof StoredDefinition, unknown>>;
  const hasCodes = (part: unknown) => Array.isArray((part as { exit_codes?: unknown } | null)?.exit_codes);
  const hasAllowed = typeof allowed === 'boolean' || hasCodes(allowed);
  const hasRetry = retry === null || (hasCodes(retry) && Array.isArray((retry as { when?: unknown }).when));
  return Array.isArray(script) && hasAllowed && hasRetry;
}

/** The definition of a job; null where it cannot be decrypted or parsed. The parser's error would quote it. */
export function readDefinition(ctx: Context<Caller>, pipelineId: number, sealed: Uint8Array): StoredDefinition | null {
  try {
    const definition: unknown = JSON.parse(ctx.services.keys.decrypt(Buffer.from(sealed), binding(pipelineId)));
    return isDefinition(definition) ? definition : null;
  } catch {
    return null;
  }
}

/** The same. @throws UnreadableDefinition where it cannot be decrypted or parsed */
export function openDefinition(ctx: Context<Caller>, pipelineId: number, sealed: Uint8Array): StoredDefinition {
  const definition = readDefinition(ctx, pipelineId, sealed);
  if (!definition) throw new UnreadableDefinition('The definition of the job cannot be read.');
  return definition;
}

/** Logs that what a job consists of cannot be read, so that it failed, or is not done again. */
export const logUnreadable = (ctx: Context<Caller>, jobId: number): void =>
  ctx.log.error({ job_id: jobId }, 'what a job consists of cannot be decrypted or parsed');
