import { z } from 'zod';
import type { Context } from '../../core/context/context.js';
import { Invalid } from '../../core/values/errors.js';
import { clearable, clearableText, instant, integer, oneOf, optional } from '../../core/operations/fields.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { findAgentOf } from '../cluster-agents/cluster-agent.finder.js';
import type { Environment } from './environment.entity.js';
import { ENVIRONMENT_TIERS } from './environment.rules.js';

/** What can be given to a new environment, and changed later (delivery-resources.md section 1). */
export const environmentParams = {
  external_url: clearableText()
    .describe('Where what is deployed can be seen.')
    .meta({ examples: ['https://app.example.com'] }),
  slug: z
    .unknown()
    .optional()
    .refine((value) => value === undefined, 'is automatically generated and cannot be changed')
    .meta({ type: 'string' })
    .describe('Refused: it is made from the name.'),
  tier: optional(oneOf(ENVIRONMENT_TIERS)).describe('How near to production it is; guessed from the name.'),
  description: clearableText().describe('What it is for, as Markdown.'),
  auto_stop_setting: optional(oneOf(['always', 'with_action'])).describe(
    'Whether it stops by itself always, or only where a job is there that stops it.',
  ),
  auto_stop_at: clearable(instant()).describe('When it stops by itself.'),
  cluster_agent_id: clearable(integer()).describe('The agent of its cluster, one of the project.'),
  kubernetes_namespace: clearableText().describe('Its namespace in the cluster.'),
  flux_resource_path: clearableText().describe('Path of the Flux resource that brings it up to date.'),
};

/** @throws Invalid where the project has no such agent */
export async function requireAgent(
  ctx: Context,
  found: ProjectRecord,
  agentId: number | null | undefined,
): Promise<void> {
  if (agentId === null || agentId === undefined || (await findAgentOf(ctx, found, agentId))) return;
  throw new Invalid("400 Bad request - cluster agent doesn't exist or cannot be associated with this environment");
}

/** What an environment can be given beside its name. */
export type NewEnvironment = Partial<
  Pick<
    Environment,
    | 'external_url'
    | 'description'
    | 'tier'
    | 'auto_stop_at'
    | 'auto_stop_setting'
    | 'cluster_agent_id'
    | 'kubernetes_namespace'
    | 'flux_resource_path'
  >
>;

/** Of what a caller sent, what was given to the environment. */
export function environmentChanges(input: Readonly<Record<string, unknown>>): NewEnvironment {
  const { slug: _slug, ...settable } = environmentParams;
  const names = Object.keys(settable).filter((name) => input[name] !== undefined);
  return Object.fromEntries(names.map((name) => [name, input[name]]));
}
