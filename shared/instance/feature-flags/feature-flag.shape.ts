import { out, shape } from '../../core/operations/shape.js';
import type { FeatureFlag } from './feature-flag.record.js';

/** A feature flag, as administrators see it. */
export const featureFlag = shape<FeatureFlag>('FeatureFlag', {
  name: out.text((flag) => flag.name),
  state: out.text((flag) => flag.state, { enum: ['on', 'off', 'conditional'] }),
});
