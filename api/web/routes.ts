import { adminRoutes } from './routes/admin.js';
import { groupRoutes } from './routes/group.js';
import { projectRoutes } from './routes/project.js';
import { referenceRoutes } from './routes/reference.js';
import { settingsRoutes } from './routes/settings.js';
import { userRoutes } from './routes/user.js';

/*
 * Every page: its address, title, component and place in the navigation. The service answers these addresses with the
 * pages' document; menus, tabs and the palette list them in this order.
 */

export const routes = [
  ...userRoutes,
  ...adminRoutes,
  ...referenceRoutes,
  ...groupRoutes,
  ...projectRoutes,
  ...settingsRoutes,
];
