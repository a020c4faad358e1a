-- beside: yes
-- A customer may have an address in several endpoints, where each listens to other events. Whether an address is still free
-- is asked by those who want it for one endpoint alone.

-- safe beside: the version before takes an address again where it would have refused it
drop index webhook_endpoints_url;
