import { getCurrentUser } from '../../shared/users/user.operations.js';
import { currentUserShape } from '../../shared/users/user.shape.js';
import { get, routes } from '../core/routes.js';

export default routes('', [get('/user', getCurrentUser, { present: currentUserShape })]);
