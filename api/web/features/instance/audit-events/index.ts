export { AuditEvents } from './AuditEvents.js';
