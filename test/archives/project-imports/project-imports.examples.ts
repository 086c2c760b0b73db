import type { AreaExamples } from '../../core/area-examples.js';

export default {
  requests: {
    'POST /projects/import': { namesOthers: "a file whose name is no archive's", refusedToNobody: 401 },
  },
} satisfies AreaExamples;
