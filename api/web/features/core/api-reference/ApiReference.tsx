import { useParams } from 'react-router';
import { NotFound } from '../../../app/problems/NotFound.js';
import { Deprecations } from './Deprecations.js';
import { GraphqlReference } from './GraphqlReference.js';
import { Limits } from './Limits.js';
import { Versions } from './Versions.js';

/** The pages beside the reference of REST, by the last part of their address. */
export default function ApiReference() {
  const { page } = useParams();
  if (page === 'graphql') return <GraphqlReference />;
  if (page === 'deprecations') return <Deprecations key={page} />;
  if (page === 'limits') return <Limits key={page} />;
  if (page === 'versions') return <Versions key={page} />;
  return <NotFound />;
}
