import { gzipSync } from 'node:zlib';
import type { AreaExamples } from '../../core/area-examples.js';

export default {
  requests: {
    'POST /projects/import': {
      params: { file: () => new File([gzipSync('')], 'archive.tar.gz') },
      namesOthers: "a file whose name is no archive's",
      refusedToNobody: 401,
    },
  },
} satisfies AreaExamples;
