import { z } from 'zod';
import type { Context } from '../../core/context/context.js';
import { Invalid } from '../../core/values/errors.js';
import { clearable, clearableText, instant, integer, oneOf, optional } from '../../core/operations/fields.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { findAgentOf } from '../cluster-agents/cluster-agent.finder.js';
import type { Environment } from './environment.entity.js';
import { ENVIRONMENT_TIERS } from './environment.rules.js';

/** Attributes that can be set on creation and changed later (delivery-resources.md section 1). */
export const environmentParams = {
  external_url: clearableText()
    .describe('URL at which the deployed application can be viewed.')
    .meta({ examples: ['https://app.example.com'] }),
  slug: z
    .unknown()
    .optional()
    .refine((value) => value === undefined, 'is automatically generated and cannot be changed')
    .meta({ type: 'string' })
    .describe('Rejected if sent: the slug is generated from the name.'),
  tier: optional(oneOf(ENVIRONMENT_TIERS)).describe(
    'Deployment tier of the environment; derived from the name by default.',
  ),
  description: clearableText().describe('Description of the environment, in Markdown.'),
  auto_stop_setting: optional(oneOf(['always', 'with_action'])).describe(
    'Auto-stop setting: the environment always stops automatically, or only if a job exists that stops the environment.',
  ),
  auto_stop_at: clearable(instant()).describe('Timestamp of when the environment stops automatically.'),
  cluster_agent_id: clearable(integer()).describe(
    'ID of the cluster agent of the environment; the agent must belong to the project.',
  ),
  kubernetes_namespace: clearableText().describe('Kubernetes namespace of the environment in the cluster.'),
  flux_resource_path: clearableText().describe('Path of the Flux resource that updates the environment.'),
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

/** Attributes of a new environment other than its name. */
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

/** The settable environment attributes in a request. */
export function environmentChanges(input: Readonly<Record<string, unknown>>): NewEnvironment {
  const { slug: _slug, ...settable } = environmentParams;
  const names = Object.keys(settable).filter((name) => input[name] !== undefined);
  return Object.fromEntries(names.map((name) => [name, input[name]]));
}
