import { sql } from '../../../shared/core/sql.js';
import type { AreaExamples } from '../../core/area-examples.js';

export default {
  records: {
    '/projects/:id': ({ project }) => project.id,
  },
  requests: {
    'GET /projects/:id/avatar': { ownForm: 'a picture, whose size is bounded when it is stored' },
  },
  graphql: {
    fill: ({ app, project }) =>
      app.context().query(sql`update projects set description = 'words' where id = ${project.id}`),
  },
} satisfies AreaExamples;
