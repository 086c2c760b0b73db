import type { TestApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';

type Group = Awaited<ReturnType<TestApp['build']['group']>>;

/** A project two groups deep, with members who deploy the head of `main`. */
export async function createDeployProject(app: TestApp) {
  const root: Group = await app.build.group();
  const group: Group = await app.build.group({ parent: root, owner: root.owner });
  const project = await app.build.projectIn(group, { empty: false });
  const owner = app.as(root.owner);
  const { body } = await owner.get(`/projects/${project.id}/repository/branches/main`);
  const sha = body.commit.id as string;
  const path = `/projects/${project.id}`;
  const deploy = (user: BuiltUser, attributes: object = {}) =>
    app.as(user).post(`${path}/deployments`, {
      environment: 'production',
      ref: 'main',
      sha,
      tag: false,
      status: 'running',
      ...attributes,
    });
  const protect = async (container: string, name: string, attributes: object) => {
    const answer = await owner.post(`${container}/protected_environments`, {
      name,
      deploy_access_levels: [{ access_level: 30 }],
      ...attributes,
    });
    if (answer.status !== 201) throw new Error(`Not protected: ${answer.text}`);
    return answer.body;
  };
  return {
    root,
    group,
    project,
    owner,
    path,
    sha,
    deploy,
    /** Makes a blocked deployment. */
    waiting: async (user: BuiltUser, attributes: object = {}) => {
      const answer = await deploy(user, { status: 'created', ...attributes });
      if (answer.body.status !== 'blocked') throw new Error(`Not blocked: ${answer.text}`);
      return answer.body;
    },
    approve: (user: BuiltUser, id: number, attributes: object = {}) =>
      app.as(user).post(`${path}/deployments/${id}/approval`, { status: 'approved', ...attributes }),
    protectProject: (attributes: object, name = 'production') => protect(path, name, attributes),
    protectGroup: (attributes: object, name = 'production') => protect(`/groups/${group.id}`, name, attributes),
    protectRoot: (attributes: object, name = 'production') => protect(`/groups/${root.id}`, name, attributes),
    leave: (user: BuiltUser) => owner.delete(`${path}/members/${user.id}`),
  };
}
