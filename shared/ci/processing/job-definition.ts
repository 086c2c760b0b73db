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

/** Reads what {@link sealDefinition} wrote. @throws Error if it cannot be decrypted */
export const openDefinition = (ctx: Context<Caller>, pipelineId: number, sealed: Uint8Array): StoredDefinition =>
  JSON.parse(ctx.services.keys.decrypt(Buffer.from(sealed), binding(pipelineId))) as StoredDefinition;
