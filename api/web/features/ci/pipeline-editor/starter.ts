/** A configuration to begin with, for a project without one. */
export const STARTER = `# Each stage begins when the jobs of the one before are done. Replace the echo lines by your own commands.
stages: [build, test, deploy]

build-app:
  stage: build
  script:
    - echo "Build the project"

test-app:
  stage: test
  script:
    - echo "Run the tests"

deploy-app:
  stage: deploy
  script:
    - echo "Deploy the default branch"
  rules:
    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH
`;
