import { out, serializer } from '../../../shared/core/operations/serializer.js';
import type { Serializer } from '../../../shared/core/operations/serializer.js';
import { downloadGenericFile } from '../../../shared/packages/packages/download-generic-file.js';
import type { PackageFile } from '../../../shared/packages/packages/package.entity.js';
import {
  deletePackage,
  deletePackageFile,
  getPackage,
  listGroupPackages,
  listPackageFiles,
  listPackagePipelines,
  listPackages,
} from '../../../shared/packages/packages/package.operations.js';
import {
  groupPackage,
  packageDetails,
  packageFile,
  packagePipeline,
  packageSerializer,
  publishedFile,
} from '../../../shared/packages/packages/package.serializer.js';
import { publishGenericFile } from '../../../shared/packages/packages/publish-generic-file.js';
import { sendFile } from '../../core/send-file.js';
import { del, get, put, routes } from '../../core/routes.js';

const created = serializer<unknown>('PackageFileCreated', { message: out.text(() => '201 Created') });
/** Null if there is no file. */
const published = publishedFile as Serializer<PackageFile | null>;

const FILE = '/packages/generic/:package_name/:package_version/:file_name';

export default [
  ...routes('/projects/:id', [
    get('/packages', listPackages, { present: packageSerializer, paginate: 'offset' }),
    get('/packages/:package_id', getPackage, { present: packageDetails }),
    del('/packages/:package_id', deletePackage, { status: 204 }),
    get('/packages/:package_id/pipelines', listPackagePipelines, { present: packagePipeline, paginate: 'keyset' }),
    get('/packages/:package_id/package_files', listPackageFiles, { present: packageFile, paginate: 'offset' }),
    del('/packages/:package_id/package_files/:package_file_id', deletePackageFile, { status: 204 }),
    put(FILE, publishGenericFile, {
      present: (_ctx, result) => (result ? published : created),
      serializers: [created, published],
      status: (result) => (result ? 200 : 201),
      packageCredentials: true,
    }),
    get(FILE, downloadGenericFile, { respond: sendFile, packageCredentials: true }),
  ]),
  ...routes('/groups/:id', [get('/packages', listGroupPackages, { present: groupPackage, paginate: 'offset' })]),
];
