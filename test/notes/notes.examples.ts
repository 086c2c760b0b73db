import type { AreaExamples } from '../core/area-examples.js';

const commitComments = {
  requests: {
    'POST /projects/:id/repository/commits/:sha/comments': {
      params: { note: () => 'Hello' },
      notAudited: 'what people say is in no audit log',
    },
  },
} satisfies AreaExamples;

const events = {
  requests: {
    'GET /events': { anonymousStatus: 401 },
  },
} satisfies AreaExamples;

export default [commitComments, events] satisfies AreaExamples[];
