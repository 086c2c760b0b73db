import type { ByContainer } from '../../shared/core/operations/container.js';
import { routes } from './routes.js';
import type { RestRoute } from './routes.js';

/**
 * Binds what is declared once for both kinds of containers: below `/projects/:id` and below `/groups/:id`.
 * @param below the common path from there, such as `/members`
 * @param bind the routes of one kind's operations
 */
export function containerRoutes<T>(
  below: string,
  operations: ByContainer<T>,
  bind: (operations: T) => RestRoute[],
): RestRoute[] {
  return [
    ...routes(`/projects/:id${below}`, bind(operations.project)),
    ...routes(`/groups/:id${below}`, bind(operations.group)),
  ];
}
