import type { AreaExamples } from '../../core/area-examples.js';

export default {
  requests: {
    'PUT /application/plan_limits': { edit: { ci_pipeline_schedules: 11 } },
    'PUT /application/settings': { edit: { default_project_visibility: 'internal' } },
  },
} satisfies AreaExamples;
