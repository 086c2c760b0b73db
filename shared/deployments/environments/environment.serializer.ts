import { markdownHtml } from '../../core/markdown/markdown-html.js';
import { out, serializer } from '../../core/operations/serializer.js';
import type { OutField } from '../../core/operations/serializer.js';
import type { Environment, EnvironmentRecord } from './environment.entity.js';
import { ENVIRONMENT_TIERS } from './environment.rules.js';

/** The description as its reader sees it. */
export const environmentHtml = markdownHtml<Environment, 'description'>(
  ({ description }) => ({ description }),
  ({ project_id: id }) => ({ kind: 'project', id }),
);

const basicFields: Record<string, OutField<Environment>> = {
  id: out.integer((environment) => environment.id),
  name: out.text((environment) => environment.name),
  slug: out.text((environment) => environment.slug),
  external_url: out.nullableText((environment) => environment.external_url),
  created_at: out.instant((environment) => environment.created_at),
  updated_at: out.instant((environment) => environment.updated_at),
};

/** An environment as embedded in other resources. */
export const basicEnvironment = serializer<Environment>('BasicEnvironment', basicFields);

export const environmentFields: Record<string, OutField<EnvironmentRecord>> = {
  ...(basicFields as Record<string, OutField<EnvironmentRecord>>),
  description: out.nullableText((environment) => environment.description),
  state: out.text((environment) => environment.state, { enum: ['available', 'stopping', 'stopped'] }),
  tier: out.text((environment) => environment.tier, { enum: ENVIRONMENT_TIERS }),
  auto_stop_at: out.nullableInstant((environment) => environment.auto_stop_at),
  auto_stop_setting: out.text((environment) => environment.auto_stop_setting, { enum: ['always', 'with_action'] }),
  kubernetes_namespace: out.nullableText((environment) => environment.kubernetes_namespace),
  flux_resource_path: out.nullableText((environment) => environment.flux_resource_path),
  description_html: out.text((environment, ctx) => environmentHtml.of(environment, ctx)?.description ?? ''),
};

/** An environment (delivery-resources.md section 1). */
export const environmentSerializer = serializer<EnvironmentRecord>('Environment', environmentFields, {
  loads: [environmentHtml],
});
