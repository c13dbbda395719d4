// RUN: --info -I includes %s
// WHY: files that were opened
data {
  #include <size.inc>
}
//|exit 0
//|stdout
//| {
//|   "inputs": { "n": { "type": "int", "dimensions": 0 } },
//|   "parameters": {},
//|   "transformed parameters": {},
//|   "generated quantities": {},
//|   "functions": [],
//|   "distributions": [],
//|   "included_files": [ "includes/size.inc" ]
//| }
