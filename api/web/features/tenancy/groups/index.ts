export { ProjectName, groupColumns, projectColumns } from './project-columns.js';
export { ownGroupsQuery, ownProjectsQuery, projectsOfUserQuery } from './queries.js';
