import { sql } from 'kysely';
import type { AreaExamples } from '../../core/area-examples.js';

export default {
  graphql: {
    fill: ({ app, project }) =>
      app.context().query(sql`
        insert into project_languages (project_id, name, bytes) values (${project.id}, 'Rust', 10)
        on conflict do nothing`),
  },
} satisfies AreaExamples;
