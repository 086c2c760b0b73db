export { ROLE_CHOICES, formatRole } from './queries.js';
