import type { AreaExamples } from '../../core/area-examples.js';

export default {
  requests: {
    'POST /projects/:id/repository/commits/:sha/comments': {
      params: { note: () => 'Hello' },
      notAudited: 'what people say is in no audit log',
    },
  },
} satisfies AreaExamples;
