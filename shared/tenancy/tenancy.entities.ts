import type { TablesOf } from '../core/database/tables.js';
import type { InstanceDatabase } from '../instance/instance.entities.js';
import * as tables from './tenancy.tables.js';

/** The tables of this domain. */
export const tenancyEntities = Object.values(tables);

/** Tables available to queries in this domain: its own and those of the domains that it builds on. */
export interface TenancyDatabase extends InstanceDatabase, TablesOf<(typeof tables)[keyof typeof tables]> {}
