#!/bin/sh
# Run by the service "bucket" at each start: makes the bucket, and the account of the nodes, which may use that bucket and nothing else.
set -eu
mc alias set store http://store:9000 administrator "$MINIO_ROOT_PASSWORD"
mc mb --ignore-existing store/sheaf
mc admin user add store sheaf "$S3_SECRET_KEY"
mc admin policy create store sheaf /cluster/bucket-policy.json
# A policy that is attached already is refused.
case "$(mc admin user info store sheaf)" in
*'PolicyName: sheaf'*) ;;
*) mc admin policy attach store sheaf --user sheaf ;;
esac
