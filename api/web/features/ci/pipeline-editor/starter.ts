/** A configuration to begin with, for a project without one. */
export const STARTER = `# Stages run one after another; jobs of the same stage run at the same time.
stages:
  - build
  - test
  - deploy

build-job:
  stage: build
  script:
    - echo "Compiling the code..."
    - echo "Compile complete."

unit-test-job:
  stage: test
  script:
    - echo "Running unit tests..."

lint-job:
  stage: test
  script:
    - echo "Checking the code style..."

deploy-job:
  stage: deploy
  script:
    - echo "Deploying application..."
    - echo "Application successfully deployed."
  rules:
    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH
`;
