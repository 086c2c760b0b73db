import { instance, operation } from '../../core/operations/operation.js';
import type { FeatureFlag } from './feature-flag.record.js';

const listing = { subject: instance, gate: 'administrator', kind: 'read', statements: 1 } as const;

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
