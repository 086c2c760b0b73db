import type { AreaExamples } from '../../core/area-examples.js';

export default {
  graphql: { alone: ['Kas', 'Metadata', 'MetadataFeatureFlag'] },
} satisfies AreaExamples;
