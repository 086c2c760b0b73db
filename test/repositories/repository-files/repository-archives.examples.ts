import type { AreaExamples } from '../../core/area-examples.js';

const ownForm = 'a stream, which holds next to nothing';

export default {
  records: {
    '/projects/:id/repository/archive.:format': () => 'tar.gz',
  },
  requests: {
    'GET /projects/:id/repository/archive': { ownForm },
    'GET /projects/:id/repository/archive.:format': { ownForm },
  },
} satisfies AreaExamples;
