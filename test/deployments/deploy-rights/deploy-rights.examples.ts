import type { AreaExamples } from '../../core/area-examples.js';

export default {} satisfies AreaExamples;
