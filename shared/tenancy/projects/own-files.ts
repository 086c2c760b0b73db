/** Folders and files of what others wrote, wherever they lie. */
const VENDORED = [
  /(^|\/)(node_modules|bower_components|vendors?|third[-_]?party|extern(al)?s?|dist|godeps|carthage\/checkouts|pods)\//i,
  /(^|\/)(\.yarn|\.venv|\.vscode|\.idea|testdata)\//i,
  /(^|\/)(tests?|specs?)\/fixtures\//i,
  /(^|\/)(jquery|bootstrap|ember|zepto|modernizr|mootools|prototype|angular|require|normalize|foundation)([-.][^/]*)?\.(js|css|less|scss)$/i,
  /(^|\/)(gradlew|mvnw)(\.(bat|cmd))?$|(^|\/)(configure|config\.(guess|sub)|ltmain\.sh|aclocal\.m4|install-sh)$/,
];

/** What explains or shows. */
const DOCUMENTATION = /^(docs?|man|examples?|demos?|samples?)\/|(^|\/)(documentation|javadoc|groovydoc|inst\/doc)\//i;

/** What tools wrote. */
const GENERATED =
  /[-.]min\.(js|css)$|[.-]bundle\.js$|\.pb\.(go|cc|h)$|\.pb\.\w+\.go$|_pb2(_grpc)?\.pyi?$|_grpc_pb\.js$|\.designer\.(cs|vb)$|\.(js|css)\.map$|(^|\/)zz_generated\.[^/]+\.go$|\.g\.(cs|dart)$|\.freezed\.dart$/i;

/** The origin of a file, inferred from its path. */
export const isVendored = (path: string) => VENDORED.some((pattern) => pattern.test(path));
export const isDocumentation = (path: string) => DOCUMENTATION.test(path);
export const isGenerated = (path: string) => GENERATED.test(path);
