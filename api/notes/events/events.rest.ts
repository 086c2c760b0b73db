import { listEvents, listProjectEvents, listUserEvents } from '../../../shared/notes/events/event.operations.js';
import { eventShape } from '../../../shared/notes/events/event.shape.js';
import { get } from '../../core/routes.js';

const listed = { present: eventShape, paginate: 'offset' } as const;

export default [
  get('/events', listEvents, listed),
  get('/users/:id/events', listUserEvents, listed),
  get('/projects/:id/events', listProjectEvents, listed),
];
