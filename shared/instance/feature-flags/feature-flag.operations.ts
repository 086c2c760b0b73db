import { instance, operation } from '../../core/operations/operation.js';
import { out, serializer } from '../../core/operations/serializer.js';

/** A flag that switches something of the service; there is none, so nothing can be set. */
interface FeatureFlag {
  readonly name: string;
  readonly state: string;
}

const listing = { resource: instance, authentication: 'administrator', kind: 'read', statements: 1 } as const;

/** List the feature flags that were set: none, since the service has no flags. */
export const listFeatures = operation({
  name: 'listFeatures',
  summary: 'List the feature flags that are set',
  ...listing,
  run: () => Promise.resolve<FeatureFlag[]>([]),
});

/** List the feature flags that there are: none. */
export const listFeatureDefinitions = operation({
  name: 'listFeatureDefinitions',
  summary: 'List the definitions of feature flags',
  ...listing,
  run: () => Promise.resolve<FeatureFlag[]>([]),
});

/** A feature flag, as administrators see it. */
export const featureFlag = serializer<FeatureFlag>('FeatureFlag', {
  name: out.text((flag) => flag.name),
  state: out.text((flag) => flag.state, { enum: ['on', 'off', 'conditional'] }),
});
